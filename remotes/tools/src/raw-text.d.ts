/** A file as it is, for pages that show it. */
declare module '*?raw' {
  const text: string;
  export default text;
}
