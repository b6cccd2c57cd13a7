/** Resolves once what React has just put into the page can be seen: code that is not needed for that comes after it. */
export function afterFirstPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
}
