import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

export interface GridColumn<Row> {
  /** Unique among the columns. */
  readonly title: string;
  /** What its head shows in place of the title. */
  readonly head?: ReactNode;
  /** Its width, as a track of a CSS grid: `90px` or `minmax(0, 1fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  readonly show: (row: Row) => ReactNode;
}

interface GridProps<Row> {
  /** What it lists. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** Those that are loaded: all, or those from `offset` on, of `count`. */
  readonly rows: readonly Row[];
  readonly offset?: number | undefined;
  readonly count?: number | undefined;
  readonly keyOf: (row: Row) => string;
  /** Default: 28 pixels. */
  readonly rowHeight?: number;
  /** The greatest CSS height of the grid; `fill` for that of the element around it. */
  readonly height: string;
  /** The key of the open row. */
  readonly selected?: string | undefined;
  /** Opens a row. `move` is only used while a row is open. */
  readonly open: (key: string, by: 'click' | 'enter' | 'move') => void;
  /** Closes the open row: Escape. */
  readonly close?: () => void;
  /** Chooses a row, or undoes that: Space. */
  readonly choose?: (key: string) => void;
  /** Called with the rows in view: from `first` up to, but not including, `last`. */
  readonly onView?: (first: number, last: number) => void;
}

const headHeight = 28;

/**
 * A list of any length: only the visible rows are in the document. The arrow keys, Page Up and Down, Home and End move, Enter opens;
 * once one is open, moving opens the next.
 */
export const Grid = <Row,>(props: GridProps<Row>) => {
  const { label, columns, rows, keyOf, rowHeight = 28, height, selected } = props;
  const { open, close, choose, onView, offset = 0, count = rows.length } = props;
  const rowAt = (index: number): Row | undefined => rows[index - offset];
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState<{ readonly key: string | undefined; readonly index: number }>();
  const list = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 3,
    scrollMargin: headHeight, // it is sticky
    scrollPaddingStart: headHeight,
  });
  const items = list.getVirtualItems();
  const { startIndex = 0, endIndex = -1 } = list.range ?? {};
  useEffect(() => onView?.(startIndex, endIndex + 1), [startIndex, endIndex, count, onView]);

  const active = selected ?? moved?.key;
  const place = active === undefined ? -1 : rows.findIndex((row) => keyOf(row) === active);
  const activeIndex = place === -1 ? -1 : offset + place;
  // A row that is not loaded keeps its index.
  const at =
    activeIndex === -1 && moved && moved.key === active && moved.index < count ? moved.index : activeIndex;

  // A link may open a row that is far down.
  const isThere = activeIndex !== -1;
  useEffect(() => {
    if (selected !== undefined && isThere) list.scrollToIndex(activeIndex);
  }, [selected, isThere, height]);

  const moveTo = (index: number): void => {
    const to = Math.max(0, Math.min(count - 1, index));
    const row = rowAt(to);
    const key = row === undefined ? undefined : keyOf(row);
    list.scrollToIndex(to);
    setMoved({ key, index: to });
    if (selected !== undefined && key !== undefined) open(key, 'move');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    };
    // A link in a row has its own keys.
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== box.current) return;
    const index = targets[event.key];
    const row = rowAt(at);
    if (index !== undefined && count > 0) moveTo(index);
    else if (row !== undefined && event.key === 'Enter') open(keyOf(row), 'enter');
    else if (row !== undefined && choose !== undefined && event.key === ' ') choose(keyOf(row));
    else if (selected !== undefined && event.key === 'Escape') close?.();
    else return;
    event.preventDefault();
  };
  const onFocus = (): void => {
    const newest = rowAt(0);
    if (active === undefined && newest !== undefined) setMoved({ key: keyOf(newest), index: 0 });
  };

  const widths = {
    '--columns': columns.map(({ width }) => width).join(' '),
    '--row-height': `${rowHeight}px`,
    height: height === 'fill' ? '100%' : `min(${count * rowHeight + 30}px, ${height})`, // the header, two borders and the rows
  };
  return (
    <div
      ref={box}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-activedescendant={items.some(({ index }) => index === at) ? `${id}${at}` : undefined}
      style={widths}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <div role="row" aria-rowindex={1} className="grid-row grid-head">
        {columns.map(({ title, head, isNumber }) => (
          <span key={title} role="columnheader" data-number={isNumber ? title : undefined}>
            {head ?? title}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: count * rowHeight, position: 'relative' }}>
        {items.map(({ index }) => {
          const row = rowAt(index);
          const key = row && keyOf(row);
          return (
            <div
              key={index % items.length}
              id={`${id}${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={key !== undefined && key === selected}
              data-active={index === at || undefined}
              className="grid-row"
              style={{ transform: `translateY(${index * rowHeight}px)` }}
              onClick={({ target }) => {
                // A link or a checkbox in the row has its own effect.
                if (key === undefined || (target as Element).closest('a, input, button')) return;
                setMoved({ key, index });
                open(key, 'click');
              }}
            >
              {columns.map(({ title, isNumber, show }) => (
                <span key={title} role="gridcell" data-number={isNumber ? title : undefined}>
                  {row === undefined ? <Skeleton height={12} animate={false} /> : show(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
};
