/** Numbers as a table, first column what they are of. A long one scrolls in its own box. */
export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

const rowsInSight = 10;

export function DataTable({ title, table: { head, rows } }: { title: string; table: Table }) {
  const table = (
    <table class="table data-table">
      <caption class="spoken">{title}</caption>
      <thead>
        <tr>
          {head.map((words, column) => (
            <th key={words} scope="col" class={column === 0 ? undefined : "end"}>
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {/* An hour that a clock shows twice has the same name twice. */}
        {rows.map(([first, ...others], at) => (
          <tr key={`${at} ${first}`}>
            <th scope="row">{first}</th>
            {others.map((words, column) => (
              <td key={head[column + 1]} class="end number">
                {words}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (rows.length <= rowsInSight && head.length < 4) return table;
  // A box that scrolls can be reached by the keyboard, or its end could not be read with it.
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section class="data-scroll" aria-label={`${title}, table`} tabIndex={0}>
      {table}
    </section>
  );
}
