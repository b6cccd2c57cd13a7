/** The text of a file, for pages that show it. */
declare module '*?raw' {
  const text: string;
  export default text;
}
