/**
 * A chart in its card, and behind it the table with the same numbers. The chart is a picture with one sentence for
 * those who do not see it; the button beside the title puts the table in its place, for the keyboard and for readers of
 * screens as for everybody else.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "../button.tsx";
import { Card } from "../small.tsx";
import { DataTable, type Table } from "./data-table.tsx";

export function ChartCard(props: {
  title: string;
  /** What the chart shows, in a sentence. */
  says: string;
  table: Table;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  /** Above the chart, and above the table as well. */
  figures?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, says, table, note, actions, figures, children } = props;
  const isTable = useSignal(false);
  return (
    <Card
      title={title}
      actions={
        <>
          {actions}
          <Button
            look="quiet"
            small
            icon={isTable.value ? "trend" : "table"}
            onClick={() => {
              isTable.value = !isTable.value;
            }}
          >
            {isTable.value ? "Chart" : "Table"}
            <span class="spoken"> of {title.toLowerCase()}</span>
          </Button>
        </>
      }
    >
      {figures}
      {isTable.value ? (
        <DataTable title={title} table={table} />
      ) : (
        <div class="chart" role="img" aria-label={says}>
          {children}
        </div>
      )}
      {note && <p class="chart-note">{note}</p>}
    </Card>
  );
}
