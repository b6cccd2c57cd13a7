/** How the dots of a number of days lie: whole rows as far as they go, in a block wider than high. */
export interface DayDots {
  columns: number;
  rows: number;
  /** One mark per day, for the `d` of a path: a line of no length, which a round cap makes a dot. */
  path: string;
}

/** A week is one row; of more, a block about three times as wide as high. */
export function layOutDays(days: number): DayDots {
  const columns = days <= 7 ? days : Math.ceil(Math.sqrt(days * 3));
  const rows = Math.ceil(days / columns);
  const marks = Array.from(
    { length: days },
    (_, day) => `M${(day % columns) + 0.5} ${Math.floor(day / columns) + 0.5}h0`,
  );

  return { columns, rows, path: marks.join('') };
}
