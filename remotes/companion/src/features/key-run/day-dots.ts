/** A block of dots, one for each day. Only the last row may be incomplete. */
export interface DayDots {
  columns: number;
  rows: number;
  /** The `d` of an SVG path. Each day is a line of length zero, which a round line cap draws as a dot. */
  path: string;
}

/** Lays out the dots: up to seven days in one row, more days in a block about three times as wide as high. */
export function layOutDays(days: number): DayDots {
  const columns = days <= 7 ? days : Math.ceil(Math.sqrt(days * 3));
  const rows = Math.ceil(days / columns);
  const marks = Array.from(
    { length: days },
    (_, day) => `M${(day % columns) + 0.5} ${Math.floor(day / columns) + 0.5}h0`,
  );

  return { columns, rows, path: marks.join('') };
}
