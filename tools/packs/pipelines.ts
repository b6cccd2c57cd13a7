/** The pipelines that a unit of its own may have: the file in deploy/ci, and its place in a repository. */
export const PIPELINES = {
  github: { template: 'github-publish.yml', file: '.github/workflows/publish.yml' },
  gitlab: { template: 'gitlab.yml', file: '.gitlab-ci.yml' },
} as const;

export type Ci = keyof typeof PIPELINES;

/** What is different in a repository of its own. Each has to be found, so that no change of a template goes unnoticed. */
const CHANGES: readonly [RegExp, string][] = [
  // The first lines say where the template belongs.
  [/^(#.*\n)+/, '# Publishes the unit; README.md says what it needs.\n'],
  [/\bremotes\/(news|\$UNIT)\/package\.json/g, 'package.json'],
  // Each change there is one of the unit.
  [/\n +(paths|changes): \[remotes\/news\/.*\]/g, ''],
];

/** In the product the command installs what it needs. */
const INSTALLS: readonly [RegExp, string][] = [
  [
    /^( +)- (run: )?(npm run (?:--silent )?release -- (?:publish|check) .*)$/gm,
    '$1- $2npm run check\n$1- $2npm test\n$1- $2$3',
  ],
];
const OF_GITHUB: readonly [RegExp, string][] = [[/^( +) {4}cache: npm$/gm, '$&\n$1- run: npm ci']];
const OF_GITLAB: readonly [RegExp, string][] = [
  [/^ +image: node:\d+$/m, '$&\n  before_script: [npm ci]'],
  [/, weekly\]/, ']'],
  [/\nadvisories:\n(.*\n)*$/, ''],
];

/**
 * Makes a template of deploy/ci one for a repository that contains this unit alone.
 * @throws Error when the template is not as it is known here
 */
export function adaptPipeline(template: string, { unit, site }: { unit: string; site: string }): string {
  const changes = [...CHANGES, ...INSTALLS, ...(template.includes('\njobs:') ? OF_GITHUB : OF_GITLAB)];
  const adapted = changes.reduce((text, [found, instead]) => {
    if (text.search(found) < 0) throw new Error(`The template of the CI has no ${String(found)}`);
    return text.replace(found, instead);
  }, template);
  return adapted.replaceAll('https://site.example', site).replaceAll(/\bnews\b/g, unit);
}
