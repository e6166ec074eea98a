/**
 * The codes that were scanned most, since they were made. The service has no such order of its own: where one page of
 * the list has all codes their order is known, and where there are more nothing is said.
 */
import { type CodeItem, listCodes } from "../../api/codes.ts";
import { address } from "../../app/location.ts";
import { Bars } from "../../parts/chart/bars.tsx";
import { Card } from "../../parts/small.tsx";
import { useLoad } from "../../parts/work.ts";

const pageMax = 100;
const shown = 5;

/** None while they are not known, or cannot be. */
export function useTopCodes(): readonly CodeItem[] {
  const top = useLoad(async (signal) => {
    const { items, next_page_token } = await listCodes({ page_size: pageMax }, signal);
    return next_page_token === null ? items.filter(isScanned).sort(byScans) : [];
  }, []);
  return top.value ?? [];
}

function isScanned({ scan_count }: CodeItem): boolean {
  return scan_count > 0;
}

function byScans(a: CodeItem, b: CodeItem): number {
  return b.scan_count - a.scan_count || a.label.localeCompare(b.label);
}

export function TopCodes({ codes }: { codes: readonly CodeItem[] }) {
  return (
    <Card title="Most scanned codes" actions={<span class="soft small">All scans since they were made</span>}>
      <Bars
        title="Most scanned codes"
        of="Code"
        total={codes.reduce((sum, { scan_count }) => sum + scan_count, 0)}
        bars={codes.slice(0, shown).map(({ qr_id, label, scan_count }) => ({
          key: qr_id,
          name: (
            <a class="bar-link" href={address(`/codes/${qr_id}/analytics`)}>
              {label}
            </a>
          ),
          scans: scan_count,
        }))}
      />
    </Card>
  );
}
