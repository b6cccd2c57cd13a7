declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module '*.css';
declare module '*.css?confined';
declare module '*.css?raw' {
  const text: string;
  export default text;
}
declare module '*.svg?raw' {
  const text: string;
  export default text;
}
