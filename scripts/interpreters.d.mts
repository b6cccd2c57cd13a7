export function pythonPath(): string;
export function luaPath(): string;
export function ensureInterpreters(): Promise<void>;
