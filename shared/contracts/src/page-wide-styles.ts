import postcss, { CssSyntaxError, type AtRule, type Container, type Node, type Rule } from 'postcss';
import parseSelectors, { type Node as Part, type Selector } from 'postcss-selector-parser';

/** What is wrong at one place of a stylesheet, in a sentence without its full stop. */
export interface StyleProblem {
  line: number;
  column: number;
  what: string;
}

interface Reading {
  isOwn: boolean;
  /** Whether it may be the root of the page or its body, which are everybody's. */
  isRoot: boolean;
}

/** Blocks nest at most so deep. No stylesheet that a person writes comes near, and what reads it calls itself. */
const MAX_NESTING = 50;

const MAX_PROBLEMS = 20;

const MAX_SHOWN_LENGTH = 80;

/** At-rules with rules that apply as if they stood outside, at times. */
const GROUPING_AT_RULES = new Set(['media', 'supports', 'layer', 'container', 'starting-style']);

/** At-rules that style nothing by themselves. */
const DECLARING_AT_RULES =
  /^(?:charset|counter-style|font-face|font-feature-values|font-palette-values|(?:-\w+-)?keyframes|-ms-viewport|position-try|property)$/;

/** At-rules about more than the unit's elements, and one that changes what selectors mean. */
const PAGE_WIDE = new Set(['page', 'view-transition', 'namespace']);

/** An address that no bundler resolves. */
const ABSOLUTE_URL = /^(?:url\()?\s*['"]?(?:\w+:)?\/\//;

/** Pseudo-classes that stand for the selectors in them. `:local` and `:global` are those of CSS modules. */
const SELECTOR_PSEUDO_CLASSES = /^:(?:is|where|matches|-webkit-any|-moz-any|local|global)$/;

/** The custom properties that the shell sets. A test compares them with `host-api.json`. */
export const THEME_PROPERTIES: ReadonlySet<string> = new Set(
  `accent accent-ink app app-2 bg choice column danger font-code font-display font-text glow-1 glow-2 glow-3 glow-4 glow-5
  glow-6 gutter line line-strong motion navbar ok radius radius-big section shadow size-body size-h1 size-h2 size-h3
  size-lead size-small surface surface-2 surface-3 text text-quiet tint warn wash`
    .split(/\s+/)
    .map((name) => `--${name}`),
);

/** The fonts of the shell, and those that stand in for them. */
const THEME_FONT = /^['"]?(?:sora|figtree)\s+(?:variable|on\s)/i;

/** Ids and attributes that the shell's own elements have. */
const SHELL_SELECTORS = /^(?:root|content|data-(?:theme|accent|device|refused|started|failed|unit))$/;

/** What `&` stands for outside of rules. */
const TOP_LEVEL_SELECTOR: Reading = { isOwn: false, isRoot: true };

/**
 * Finds what a stylesheet of a unit does to pages of others. A selector is the unit's own if it names a class, an id, a
 * `data-` attribute or a custom element that has to be there: then its rule ends when the visitor leaves the page. It never
 * styles the root or the body. Other selectors may only set custom properties that the site does not have.
 * @param isSource whether it is what a bundler reads, which resolves the imports in it
 */
export function findPageWideStyles(css: string, { isSource = false } = {}): StyleProblem[] {
  const problems: StyleProblem[] = [];
  try {
    readBlock(postcss.parse(css, { map: false }), undefined);
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    return [{ line: error.line ?? 1, column: error.column ?? 1, what: `cannot be read: ${error.reason}` }];
  }
  return problems;

  function report(node: Node, what: string, index = 0): void {
    // A place is counted from the beginning of the file.
    if (problems.length === MAX_PROBLEMS) return;
    const { line, column } = node.positionBy({ index });
    problems.push({ line, column, what });
  }

  /** @param parent the selector of the rule around it; undefined outside of rules */
  function readBlock(block: Container, parent: Reading | undefined, depth = 1): void {
    if (depth > MAX_NESTING) return report(block, 'is nested too deeply');
    block.each((node) => {
      if (node.type === 'atrule') readAtRule(node, parent, depth);
      else if (node.type === 'rule') readRule(node, parent, depth);
      return problems.length < MAX_PROBLEMS && undefined;
    });
  }

  function readAtRule(rule: AtRule, parent: Reading | undefined, depth: number): void {
    const { name, params, nodes } = rule;
    const kind = name.toLowerCase();
    if (GROUPING_AT_RULES.has(kind)) return nodes && readBlock(rule, parent, depth + 1);

    const family = (kind === 'font-face' && valueOf(rule, 'font-family')) || '';
    if (kind === 'property' && THEME_PROPERTIES.has(params))
      report(rule, `@property ${params} is one of the site's: choose another name`);
    else if (THEME_FONT.test(family))
      report(rule, `@font-face ${toPrintable(family)} is a font of the site: choose another name`);
    else if (kind === 'import') {
      if (!isSource || ABSOLUTE_URL.test(params))
        report(rule, `@import ${toPrintable(params)} brings styles that are not in the release`);
    } else if (PAGE_WIDE.has(kind)) report(rule, `@${kind} is about the whole page`);
    else if (kind === 'scope') report(rule, '@scope is unknown to the oldest browsers of the site');
    else if (!DECLARING_AT_RULES.test(kind))
      report(rule, `@${toPrintable(name)} is left, which is no CSS: it wants PostCSS or Tailwind`);
  }

  function readRule(rule: Rule, parent: Reading | undefined, depth: number): void {
    if (isNestedTooDeeply(rule.selector)) return report(rule, 'is nested too deeply');

    const read = readSelectors(rule.selector, parent);
    const self = { isOwn: read.every((one) => one.isOwn), isRoot: read.some((one) => one.isRoot) };
    const declared = listDeclaredProperties(rule);
    const isStyled = declared.some((name) => !name.startsWith('--'));
    const ofSite = declared.find((name) => THEME_PROPERTIES.has(name));
    for (const { isOwn, text, index, isSelector } of read) {
      if (isOwn) continue;
      if (!isSelector) report(rule, `${toPrintable(text)} is no selector that can be read here`);
      else if (isStyled)
        report(rule, `${toPrintable(text)} styles the page outside of the unit: begin with a class of yours`, index);
      else if (ofSite)
        report(rule, `${toPrintable(text)} changes ${ofSite} of the site: set it on a class of yours`, index);
    }
    readBlock(rule, self, depth + 1);
  }
}

/** The properties that a rule declares, also in groups in it. */
function listDeclaredProperties(block: Container, depth = 1): string[] {
  return (block.nodes ?? []).flatMap((node) => {
    if (node.type === 'decl') return [node.prop];
    const isGroup = node.type === 'atrule' && GROUPING_AT_RULES.has(node.name.toLowerCase()) && depth < MAX_NESTING;
    return isGroup ? listDeclaredProperties(node, depth + 1) : [];
  });
}

interface ReadSelector extends Reading {
  text: string;
  /** Where it begins in its list. */
  index: number;
  isSelector: boolean;
}

function readSelectors(list: string, parent: Reading | undefined): ReadSelector[] {
  try {
    return parseSelectors()
      .astSync(list)
      .nodes.map((selector) => {
        const text = selector.toString().trim();
        const isSelector = isComplete(selector, parent !== undefined);
        const index = selector.sourceIndex + selector.toString().search(/\S/);
        return {
          ...(isSelector ? readSelector(selector, parent) : { isOwn: false, isRoot: false }),
          text,
          index,
          isSelector,
        };
      });
  } catch {
    return [{ isOwn: false, isRoot: false, text: list, index: 0, isSelector: false }];
  }
}

/** Whether a browser reads it: no combinator without a part on each side. Within a rule it may begin with one. */
function isComplete({ nodes }: Selector, isNested: boolean): boolean {
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (!first || !last || last.type === 'combinator') return false;
  return (
    (first.type !== 'combinator' || isNested) &&
    !nodes.some(({ type, value }) => (type === 'combinator' && value === '/') || (type === 'class' && !value))
  );
}

/**
 * Reads one selector with its combinators.
 * @param parent the selector of the rule around it, behind which it is put unless it says where
 * @param isInside whether it stands in another one, and is put behind nothing
 */
function readSelector(selector: Selector, parent: Reading | undefined, isInside = false): Reading {
  let isOwn = !isInside && parent !== undefined && !selector.toString().includes('&') && parent.isOwn;
  let isRoot = false;
  for (const compound of splitAtCombinators(selector.nodes)) {
    const read = readCompound(compound, parent ?? TOP_LEVEL_SELECTOR);
    // What is around the body is no part of a unit.
    isOwn = !read.isRoot && (isOwn || read.isOwn);
    isRoot = read.isRoot;
  }
  return { isOwn, isRoot };
}

function splitAtCombinators(nodes: readonly Part[]): Part[][] {
  const compounds: Part[][] = [[]];
  for (const node of nodes)
    if (node.type === 'combinator') compounds.push([]);
    else if (node.type !== 'comment') compounds.at(-1)?.push(node);
  return compounds.filter(({ length }) => length > 0);
}

function readCompound(parts: readonly Part[], parent: Reading): Reading {
  const hasType = parts.some(({ type }) => type === 'tag');
  const read = parts.map((part) => readPart(part, parent, hasType));
  const isRoot = read.some((one) => one.isRoot);
  return { isOwn: !isRoot && read.some((one) => one.isOwn), isRoot };
}

function readPart(part: Part, parent: Reading, hasType: boolean): Reading {
  const value = (part.value ?? '').toLowerCase();
  if (part.type === 'nesting') return parent;
  if (part.type === 'tag') return { isOwn: value.includes('-'), isRoot: value === 'html' || value === 'body' };
  if (part.type === 'class') return { isOwn: true, isRoot: false };
  if (part.type === 'id') return { isOwn: !SHELL_SELECTORS.test(value), isRoot: false };
  if (part.type === 'attribute') {
    const name = part.attribute.toLowerCase();
    return { isOwn: name.startsWith('data-') && !SHELL_SELECTORS.test(name), isRoot: false };
  }
  // Outside of a shadow tree there is no host, and such a rule styles nothing.
  if (/^:host(?:-context)?$/.test(value)) return { isOwn: true, isRoot: false };
  if (part.type !== 'pseudo' || !(SELECTOR_PSEUDO_CLASSES.test(value) || value === ':has'))
    return { isOwn: false, isRoot: /^:(?:root|scope)$/.test(value) };

  const isAround = value === ':has';
  const inside = part.nodes.map((selector) => readSelector(selector, parent, true));
  return {
    // Without a type, what has an element of the unit in it may be the root.
    isOwn: inside.every((one) => one.isOwn) && (hasType || !isAround),
    isRoot: !isAround && inside.some((one) => one.isRoot),
  };
}

function isNestedTooDeeply(selector: string): boolean {
  let depth = 0;
  return [...selector].some((letter) => {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    return depth > MAX_NESTING;
  });
}

function valueOf(rule: AtRule, property: string): string | undefined {
  const found = rule.nodes?.find((node) => node.type === 'decl' && node.prop.toLowerCase() === property);
  return found?.type === 'decl' ? found.value : undefined;
}

/** A text for a sentence: of a bounded length, and without what a terminal obeys. */
function toPrintable(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}…` : line;
}
