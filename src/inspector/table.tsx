import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  /** What the title means. */
  readonly hint?: string;
  /** Whether only screen readers get the title. */
  readonly isUntitled?: boolean;
  readonly isNumber?: boolean;
  /** The class of its cells. */
  readonly class?: string;
  readonly show: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly class?: string;
  readonly caption?: string;
}

/** A table. The first column names the rows. */
export const Table = <Row,>({ columns, rows, keyOf, class: name, caption }: TableProps<Row>) => (
  <table class={name}>
    {caption !== undefined && <caption class="hidden">{caption}</caption>}
    <thead>
      <tr>
        {columns.map(({ title, hint, isUntitled, isNumber }) => (
          <th key={title} scope="col" class={isNumber ? 'number' : undefined} title={hint}>
            {isUntitled ? <span class="hidden">{title}</span> : title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map((column, at) => {
            const Cell = at === 0 ? 'th' : 'td';
            return (
              <Cell
                key={column.title}
                scope={at === 0 ? 'row' : undefined}
                class={column.isNumber ? 'number' : column.class}
                data-label={column.title}
              >
                {column.show(row)}
              </Cell>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);
