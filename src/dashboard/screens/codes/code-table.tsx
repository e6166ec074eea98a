/** One page of codes. */
import type { CodeItem } from "../../api/codes.ts";
import type { Project } from "../../api/projects.ts";
import { address } from "../../app/location.ts";
import { user } from "../../app/session.ts";
import { Icon } from "../../parts/icon.tsx";
import { Badge, CopyButton } from "../../parts/small.tsx";
import { Heads, Moment } from "../../parts/table.tsx";
import { isLink, lifeOf, pathOf, typeName, typeWords } from "../../words/codes.ts";
import { count } from "../../words/numbers.ts";
import { day } from "../../words/time.ts";

type Chosen = ReadonlyMap<string, CodeItem>;

export function CodeTable(props: {
  codes: readonly CodeItem[];
  projects: readonly Project[];
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}) {
  const { codes, projects, chosen, onChoose } = props;
  const names = new Map(projects.map(({ project_id, name }) => [project_id, name]));
  const isAll = codes.every(({ qr_id }) => chosen.has(qr_id));
  const choose = (code: CodeItem) => {
    const next = new Map(chosen);
    if (!next.delete(code.qr_id)) next.set(code.qr_id, code);
    onChoose(next);
  };
  return (
    <table class="table table-codes">
      <caption class="spoken">QR codes</caption>
      <Heads
        columns={[
          "Code",
          ["Project", "wide-only"],
          "State",
          ["Scans", "end"],
          ["Made", "wide-only"],
          ["Link", "spoken"],
        ]}
      >
        <th class="pinched" scope="col">
          <input
            type="checkbox"
            aria-label="Choose all codes of this page"
            checked={isAll}
            onChange={() => onChoose(isAll ? new Map() : new Map(codes.map((code) => [code.qr_id, code])))}
          />
        </th>
      </Heads>
      <tbody>
        {codes.map((code) => (
          <Row
            key={code.qr_id}
            code={code}
            project={names.get(code.project_id) ?? ""}
            isChosen={chosen.has(code.qr_id)}
            onChoose={() => choose(code)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row(props: { code: CodeItem; project: string; isChosen: boolean; onChoose: () => void }) {
  const { code, project, isChosen, onChoose } = props;
  const life = lifeOf(code);
  return (
    <tr class={isChosen ? "is-chosen" : undefined}>
      <td class="pinched">
        <input type="checkbox" aria-label={`Choose ${code.label}`} checked={isChosen} onChange={onChoose} />
      </td>
      <td>
        <div class="code-cell">
          <Thumbnail code={code} />
          <div class="cell-main">
            <a class="cut" href={address(`/codes/${code.qr_id}`)}>
              {code.label}
            </a>
            <span class="cut small soft">
              {isLink(code.type) ? hostAndPath(code.redirect_url) : typeName(code.type)}
            </span>
          </div>
        </div>
      </td>
      <td class="wide-only soft cut">{project}</td>
      <td>
        <Badge tone={life.tone}>{life.words}</Badge>
      </td>
      <td class="end number">
        {isLink(code.type) || code.type === "text" ? (
          <>
            {count(code.scan_count)}
            {code.scan_limit !== null && <span class="soft"> / {count(code.scan_limit)}</span>}
          </>
        ) : (
          <span class="soft" title="Its content is in the image: no scan passes here">
            –
          </span>
        )}
      </td>
      <td class="wide-only soft pinched">
        <Moment at={code.created_at} words={day} />
      </td>
      <td class="pinched">
        {code.slug !== null && isLink(code.type) && (
          <CopyButton text={`${user().public_url}/${code.slug}`} what="Link" small />
        )}
      </td>
    </tr>
  );
}

function Thumbnail({ code }: { code: CodeItem }) {
  return (
    <span class="thumbnail">
      {code.file_url_svg === null ? (
        <Icon name={typeWords[code.type]?.icon ?? "code"} />
      ) : (
        <img src={pathOf(code.file_url_svg)} alt="" loading="lazy" width="36" height="36" />
      )}
    </span>
  );
}

function hostAndPath(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
