import type { GridColumn } from './virtual-grid.tsx';

/**
 * A column with a button as its head, by which the rows are sorted: up, down, and as they came.
 *
 * @param key what the rows are sorted by
 * @param sort the present key, after a minus for the greatest first
 */
export const toSortable = <Row,>(
  column: GridColumn<Row>,
  key: string,
  sort: string,
  setSort: (sort: string) => void,
): GridColumn<Row> => {
  const sorted = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
  const next = { none: key, ascending: `-${key}`, descending: '' }[sorted];
  const mark = { none: '', ascending: ' ▲', descending: ' ▼' }[sorted];
  const head = (
    <button type="button" class="plain" onClick={() => setSort(next)}>
      {column.title}
      <span aria-hidden="true">{mark}</span>
    </button>
  );
  return { ...column, head, sorted };
};
