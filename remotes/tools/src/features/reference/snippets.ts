export const SITE = 'https://…';

export const DEMO = { hwid: 'demo-device-0001', zone: 'demo-zone', app: 'main' } as const;

export const LANGUAGES = [
  { id: 'curl', label: 'cURL' },
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
  { id: 'lua', label: 'Lua' },
] as const;

export type SampleLanguage = (typeof LANGUAGES)[number]['id'];

/** A call for apps. With a body it is a POST, else a GET. */
export interface Call {
  path: string;
  body?: Readonly<Record<string, string>>;
}

/** @param site without a slash at its end */
export const SNIPPETS: Readonly<Record<SampleLanguage, (call: Call, site: string) => string>> = {
  curl: ({ path, body }, site) =>
    body
      ? `curl '${site}${path}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, null, 2)}'`
      : `curl '${site}${path}'`,

  typescript: ({ path, body }, site) =>
    `const response = await fetch('${site}${path}'${
      body
        ? `, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(${members(body, ({ name, value }) => `${name}: '${value}'`, '    ', '  ')}),
}`
        : ''
    });

console.log(await response.json());`,

  // A refusal is raised, and has a body all the same.
  python: ({ path, body }, site) => `import json
import urllib.error
import urllib.request

${
  body
    ? `request = urllib.request.Request(
    "${site}${path}",
    json.dumps(${members(body, ({ name, value }) => `"${name}": "${value}"`, '        ', '    ')}).encode(),
    {"Content-Type": "application/json"},
)`
    : `request = "${site}${path}"`
}
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as refusal:
    response = refusal
with response:
    print(json.load(response))`,

  lua: (
    { path, body },
    site,
  ) => `${body ? 'local HttpService = game:GetService("HttpService")\n' : ''}local response = request({
  Url = "${site}${path}",
  Method = "${body ? 'POST' : 'GET'}",${
    body
      ? `
  Headers = { ["Content-Type"] = "application/json" },
  Body = HttpService:JSONEncode(${members(body, ({ name, value }) => `${name} = "${value}"`, '    ', '  ')}),`
      : ''
  }
})

print(response.Body)`,
};

function members(
  body: Readonly<Record<string, string>>,
  write: (member: { name: string; value: string }) => string,
  indent: string,
  outdent: string,
): string {
  const lines = Object.entries(body).map(([name, value]) => `${indent}${write({ name, value })},\n`);
  return `{\n${lines.join('')}${outdent}}`;
}
