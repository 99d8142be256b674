import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isolate } from './visible.ts';

/** The rows of a long list, of which some may not be loaded yet. Another object means that they have changed. */
export interface Rows<Row> {
  readonly count: number;
  /** Undefined while it is not loaded. */
  readonly at: (index: number) => Row | undefined;
  /** The index of a loaded row; -1 if there is none with this key. */
  readonly indexOf: (key: string) => number;
}

export interface GridColumn<Row> {
  /** Its title, unless `head` is given. */
  readonly title: string;
  /** The class of its cells. */
  readonly name: string;
  readonly head?: ComponentChildren;
  readonly sorted?: 'ascending' | 'descending' | 'none' | undefined;
  readonly hint?: (row: Row) => string;
  readonly show: (row: Row) => ComponentChildren;
}

interface GridProps<Row> {
  readonly elementRef: RefObject<HTMLDivElement | null>;
  /** What it lists. */
  readonly label: string;
  /** The class of the grid; its rows have the class `grid-row`. */
  readonly name: string;
  readonly columns: readonly GridColumn<Row>[];
  /** The widths of the columns in a wide grid, if the style sheet does not have them. */
  readonly template?: string;
  readonly rows: Rows<Row>;
  readonly keyOf: (row: Row) => string;
  /** The height of a row, in pixels, as in the style sheet. A grid that is narrower than `below` has the class `narrow`. */
  readonly heights: { readonly wide: number; readonly narrow: number; readonly below: number };
  /** The key of the open row. */
  readonly selected?: string | undefined;
  /** Opens a row, with its key. `move` comes only if one is open. */
  readonly open: (key: string, by: 'click' | 'enter' | 'move') => void;
  /** Handles another key for the active row. Returns whether it did. */
  readonly onKey?: (event: KeyboardEvent, row: Row) => boolean;
  /** Is called with the rows that are rendered, so that those are loaded: from `first` up to `last`, excluded. */
  readonly onRange: (first: number, last: number) => void;
}

/** How many rows are rendered above and below the visible ones. */
const spare = 6;

/**
 * A list of any length: only the visible rows are in the document. The arrow keys move, Enter opens; once one is open, moving
 * opens the next.
 */
export const VirtualGrid = <Row,>(props: GridProps<Row>) => {
  const { elementRef, label, name, columns, template, rows, keyOf, heights, selected, open, onKey, onRange } =
    props;
  const view = useView(elementRef);
  const [moved, setMoved] = useState<{ readonly key: string; readonly index: number }>();
  const active = selected ?? moved?.key;
  const isNarrow = view.width < heights.below;
  const height = isNarrow ? heights.narrow : heights.wide;
  useSteadyScroll(elementRef, rows, keyOf, height);

  const { count } = rows;
  const found = active === undefined ? -1 : rows.indexOf(active);
  // A row that is no longer loaded is where it was.
  const isAway = found === -1 && moved !== undefined && moved.key === active;
  const at = isAway && moved.index < count && rows.at(moved.index) === undefined ? moved.index : found;
  const first = Math.max(0, Math.floor(view.top / height) - spare);
  const last = Math.min(count, Math.ceil((view.top + view.height) / height) + spare);
  const visible: { readonly row: Row; readonly index: number }[] = [];
  for (let index = first; index < last; index += 1) {
    const row = rows.at(index);
    if (row !== undefined) visible.push({ row, index });
  }
  useEffect(() => onRange(first, last), [first, last, rows]);

  const reveal = (index: number): void => {
    const element = elementRef.current;
    if (element === null) return;
    if (index * height < element.scrollTop) element.scrollTop = index * height;
    else if ((index + 1) * height > element.scrollTop + view.height)
      element.scrollTop = (index + 1) * height - view.height;
  };
  // A shared link may open one far down.
  useLayoutEffect(() => {
    if (selected !== undefined && found !== -1) reveal(found);
  }, [selected, found !== -1, height, view.height]);

  // Rows are loaded as they are scrolled to; a key may have moved to one of them.
  const awaited = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (awaited.current !== undefined && rows.at(awaited.current) !== undefined) moveTo(awaited.current);
  }, [rows]);
  const moveTo = (index: number): void => {
    const to = Math.max(0, Math.min(count - 1, index));
    const row = rows.at(to);
    reveal(to);
    awaited.current = row === undefined ? to : undefined;
    if (row === undefined) return;
    setMoved({ key: keyOf(row), index: to });
    if (selected !== undefined) open(keyOf(row), 'move');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.height / height) - 1);
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    };
    // A button in the head has its own keys.
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== elementRef.current) return;
    const index = to[event.key];
    const row = rows.at(at);
    if (index !== undefined) moveTo(index);
    else if (row === undefined) return;
    else if (event.key === 'Enter') open(keyOf(row), 'enter');
    else if (onKey?.(event, row) !== true) return;
    event.preventDefault();
  };
  const onFocus = (): void => {
    const newest = rows.at(0);
    if (active === undefined && newest !== undefined) setMoved({ key: keyOf(newest), index: 0 });
  };

  const widths = { gridTemplateColumns: isNarrow ? undefined : template };
  const toElementId = (index: number): string => `${name}-${index}`;
  return (
    <div
      ref={elementRef}
      class={`virtual-grid ${name} ${isNarrow ? 'narrow' : ''}`}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-activedescendant={visible.some(({ index }) => index === at) ? toElementId(at) : undefined}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <div role="rowgroup" class="grid-head">
        {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and says which row is meant */}
        <div role="row" aria-rowindex={1} class="grid-row" style={widths}>
          {columns.map((column, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <span
              key={column.name}
              role="columnheader"
              class={column.name}
              aria-colindex={index + 1}
              aria-sort={column.sorted}
            >
              {column.head ?? column.title}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="grid-rows" style={{ height: `${count * height}px` }}>
        {visible.map(({ row, index }) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keyboard
          <div
            key={keyOf(row)}
            id={toElementId(index)}
            role="row"
            aria-rowindex={index + 2}
            aria-selected={keyOf(row) === selected}
            class={`grid-row ${keyOf(row) === active ? 'active' : ''}`}
            style={{ ...widths, transform: `translateY(${index * height}px)` }}
            onClick={({ target }) => {
              if ((target as Element).closest('a, button, input')) return; // it has its own effect
              setMoved({ key: keyOf(row), index });
              open(keyOf(row), 'click');
            }}
          >
            {columns.map(({ name: column, hint, show }, columnIndex) => (
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              <span
                key={column}
                role="gridcell"
                class={column}
                title={hint && isolate(hint(row))}
                aria-colindex={columnIndex + 1}
              >
                {show(row)}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};

/** The visible part of the rows. */
const useView = (ref: RefObject<HTMLDivElement | null>) => {
  const [view, setView] = useState({ top: 0, height: 600, width: 1200 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const read = (): void => {
      const head = element.firstElementChild?.clientHeight ?? 0;
      setView({
        top: element.scrollTop,
        height: element.clientHeight - head,
        width: element.clientWidth,
      });
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  return view;
};

/** Keeps the scroll position while rows are added above. */
const useSteadyScroll = <Row,>(
  ref: RefObject<HTMLDivElement | null>,
  rows: Rows<Row>,
  keyOf: (row: Row) => string,
  height: number,
): void => {
  const before = useRef({ rows, height });
  useLayoutEffect(() => {
    const element = ref.current;
    const { rows: old, height: oldHeight } = before.current;
    before.current = { rows, height };
    if (element === null || element.scrollTop < oldHeight || (old === rows && oldHeight === height)) return;
    const top = Math.floor(element.scrollTop / oldHeight);
    const row = old.at(top);
    const now = row === undefined ? -1 : rows.indexOf(keyOf(row));
    if (now !== -1) element.scrollTop = now * height + (element.scrollTop % oldHeight);
    else if (oldHeight !== height) element.scrollTop = top * height;
  }, [rows, height]);
};
