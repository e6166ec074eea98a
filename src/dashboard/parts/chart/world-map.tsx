/** Countries by the strength of a colour. Below the map, what is under the pointer. */
import { useSignal } from "@preact/signals";
import { height, points, shapes, width } from "world-outline";
import { counted, countryName, percent } from "../../words/numbers.ts";
import { setting } from "../work.ts";
import { levelOf } from "./level.ts";
import { LevelKey } from "./level-key.tsx";

/** Of a country that is too small for a shape, in units of the map. */
const pointRadius = 3;

/** `scans` by ISO 3166-1 alpha-2 codes. */
export function WorldMap({ scans, total }: { scans: ReadonlyMap<string, number>; total: number }) {
  const pointed = useSignal<string | null>(null);
  const most = Math.max(0, ...scans.values());
  const first = [...scans].find(([, each]) => each === most)?.[0] ?? null;
  const shown = pointed.value ?? first;
  const pointAt = (event: PointerEvent) => {
    const found = event.target instanceof SVGElement ? event.target.dataset.country : undefined;
    pointed.value = found ?? null;
  };
  const level = (code: string) => `level-${levelOf(scans.get(code) ?? 0, most)}`;
  return (
    <>
      <svg
        class="world"
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        onPointerOver={pointAt}
        onPointerLeave={setting(pointed, null)}
      >
        {Object.entries(shapes).map(([code, path]) => (
          <path key={code} class={level(code)} data-country={code} d={path} />
        ))}
        {Object.entries(points)
          .filter(([code]) => scans.has(code))
          .map(([code, [x, y]]) => (
            <circle key={code} class={level(code)} data-country={code} cx={x} cy={y} r={pointRadius} />
          ))}
      </svg>
      <div class="chart-foot">
        <span>
          {shown !== null && (
            <>
              {pointed.value === null && "Most: "}
              {countryName(shown)}: {counted(scans.get(shown) ?? 0, "scan")} (
              {percent(scans.get(shown) ?? 0, total)})
            </>
          )}
        </span>
        <LevelKey most={most} />
      </div>
    </>
  );
}
