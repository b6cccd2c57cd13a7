import { type CSSToken, tokenize, TokenType } from '@csstools/css-tokenizer';

/** What is wrong at one place of a stylesheet, in a sentence without its full stop. */
export interface StyleProblem {
  line: number;
  column: number;
  what: string;
}

interface Reading {
  /** Whether what it styles is in the unit. */
  isOwn: boolean;
  /** Whether it may be the root of the page or its body, which are everybody's. */
  isRoot: boolean;
}

/** Blocks nest at most so deep. No stylesheet that a person writes comes near, and what reads it calls itself. */
const MOST_NESTED = 50;

/** A longer list of problems is cut. */
const MOST_PROBLEMS = 20;

/** How much of a selector a sentence shows. */
const MOST_SHOWN = 80;

/** At-rules with rules that apply as if they stood outside, at times. */
const GROUPS = new Set(['media', 'supports', 'layer', 'container', 'starting-style']);

/** At-rules that style nothing by themselves. */
const NAMES = new Set([
  'charset',
  'counter-style',
  'font-face',
  'font-feature-values',
  'font-palette-values',
  'keyframes',
  '-webkit-keyframes',
  'position-try',
  'property',
]);

/** At-rules about more than the unit's elements, and one that changes what selectors mean. */
const PAGE_WIDE = new Set(['page', 'view-transition', 'namespace']);

/** An address that no bundler resolves. */
const FOREIGN = /^(?:\w+:)?\/\//;

/** Pseudo-classes that stand for the selectors in them. `:local` and `:global` are those of CSS modules. */
const ALTERNATIVES = new Set(['is', 'where', 'matches', '-webkit-any', '-moz-any', 'local', 'global']);

/** Elements that are there once for all units. */
const ROOTS = new Set(['html', 'body']);

/** The custom properties that the shell sets. A test compares them with `host-api.json`. */
export const THEME_PROPERTIES: ReadonlySet<string> = new Set(
  `accent accent-ink app app-2 bg choice column danger font-code font-display font-text glow-1 glow-2 glow-3 glow-4 glow-5
  glow-6 gutter line line-strong motion navbar ok radius radius-big section shadow size-body size-h1 size-h2 size-h3
  size-lead size-small surface surface-2 surface-3 text text-quiet tint warn wash`
    .split(/\s+/)
    .map((name) => `--${name}`),
);

/** The fonts of the shell, and those that stand in for them. */
const THEME_FONT = /^(?:sora|figtree) (?:variable|on )/i;

/** What `&` stands for outside of rules. */
const TOP: Reading = { isOwn: false, isRoot: true };

const NOTHING: Reading = { isOwn: false, isRoot: false };

/** Ids and attributes that the shell's own elements have. */
const OF_THE_PAGE = new Set(
  'root content data-theme data-accent data-device data-refused data-started data-failed data-unit'.split(' '),
);

function isOwnAttribute(name: string): boolean {
  return name.startsWith('data-') && !OF_THE_PAGE.has(name);
}

/**
 * Finds what a stylesheet of a unit does to pages of others. A selector is the unit's own if it names a class, an id, a
 * `data-` attribute or a custom element that has to be there: then its rule ends when the visitor leaves the page. It never
 * styles the root or the body. Other selectors may only set custom properties that the site does not have.
 *
 * It takes time in proportion to the length, whatever is in it.
 * @param isSource whether it is what a bundler reads, which resolves the imports in it
 */
export function findPageWideStyles(css: string, { isSource = false } = {}): StyleProblem[] {
  const tokens = tokenize({ css }).filter(([type]) => type !== TokenType.Comment && type !== TokenType.EOF);
  const problems: StyleProblem[] = [];
  const { ends, tooDeep } = findEnds(tokens);
  if (tooDeep === undefined) readBlock(0, tokens.length, undefined);
  else report(tooDeep, 'is nested too deeply');
  return problems;

  function report(at: number, what: string): void {
    if (problems.length === MOST_PROBLEMS) return;
    const before = css.slice(0, tokens[at]?.[2]);
    const line = before.split('\n').length;
    problems.push({ line, column: before.length - before.lastIndexOf('\n'), what });
  }

  function isType(at: number, type: TokenType): boolean {
    return tokens[at]?.[0] === type;
  }

  /** The place behind what begins here: a token, or a block with all that is in it. */
  function after(at: number): number {
    return (ends.get(at) ?? at) + 1;
  }

  function skipSpace(at: number, end: number): number {
    while (at < end && isType(at, TokenType.Whitespace)) at++;
    return at;
  }

  /** The first token of one of these types that is in no block. */
  function find(at: number, end: number, ...types: TokenType[]): number {
    while (at < end && !types.includes(tokens[at]?.[0] ?? TokenType.EOF)) at = after(at);
    return Math.min(at, end);
  }

  /**
   * Reads rules, and what a rule around them declares.
   * @param parent the selector of that rule; undefined outside of rules
   * @returns where what it declares begins
   */
  function readBlock(start: number, end: number, parent: Reading | undefined): number[] {
    const declared: number[] = [];
    for (let at = skipSpace(start, end); at < end; at = skipSpace(at, end)) {
      if (isType(at, TokenType.Semicolon) || isType(at, TokenType.CDO) || isType(at, TokenType.CDC)) at++;
      else if (isType(at, TokenType.AtKeyword)) {
        const open = find(at, end, TokenType.OpenCurly, TokenType.Semicolon);
        declared.push(...readAtRule(at, open, parent));
        at = after(open);
      } else {
        const isDeclared = parent && isType(at, TokenType.Ident) && isType(skipSpace(at + 1, end), TokenType.Colon);
        const isCustom = isDeclared && nameOf(tokens[at]).startsWith('--');
        const semicolon = parent ? [TokenType.Semicolon] : [];
        const stop = find(at, end, ...semicolon, ...(isCustom ? [] : [TokenType.OpenCurly]));
        if (isType(stop, TokenType.OpenCurly)) readRule(at, stop, parent);
        else if (isDeclared) declared.push(at);
        at = after(stop);
      }
    }
    return declared;
  }

  function readAtRule(at: number, open: number, parent: Reading | undefined): number[] {
    const name = nameOf(tokens[at]).toLowerCase();
    const inside = isType(open, TokenType.OpenCurly)
      ? ([open + 1, ends.get(open) ?? tokens.length] as const)
      : undefined;
    const named = skipSpace(at + 1, open);

    if (GROUPS.has(name)) return inside ? readBlock(...inside, parent) : [];
    const subject = nameOf(tokens[named]);
    const family = name === 'font-face' && inside ? familyIn(...inside) : '';
    if (name === 'property' && THEME_PROPERTIES.has(subject))
      report(at, `@property ${subject} is one of the site's: choose another name`);
    else if (THEME_FONT.test(family))
      report(at, `@font-face ${show(family)} is a font of the site: choose another name`);
    else if (name === 'import') {
      const address = subject === 'url' ? nameOf(tokens[skipSpace(named + 1, open)]) : subject;
      if (!isSource || FOREIGN.test(address))
        report(at, `@import ${show(address)} brings styles that are not in the release`);
    } else if (PAGE_WIDE.has(name)) report(at, `@${name} is about the whole page`);
    else if (name === 'scope') report(at, '@scope is unknown to the oldest browsers of the site');
    else if (!NAMES.has(name)) report(at, `@${show(name)} is left, which is no CSS: it wants PostCSS or Tailwind`);
    return [];
  }

  function familyIn(start: number, end: number): string {
    for (let at = start; at < end; at = after(find(at, end, TokenType.Semicolon))) {
      at = skipSpace(at, end);
      if (nameOf(tokens[at]).toLowerCase() !== 'font-family') continue;
      const value = tokens.slice(at + 1, find(at, end, TokenType.Semicolon)).map(nameOf);
      return value.filter((word) => word.length > 0).join(' ');
    }
    return '';
  }

  function readRule(start: number, open: number, parent: Reading | undefined): void {
    const alternatives = split(start, open);
    const read = alternatives.map(([from, to]) =>
      readSelector(from, to, parent ?? TOP, parent && !hasAmpersand(from, to) ? parent : undefined),
    );
    const self = { isOwn: read.every((one) => one?.isOwn), isRoot: read.some((one) => one?.isRoot) };
    const declared = readBlock(open + 1, ends.get(open) ?? tokens.length, self);

    const others = declared.filter((at) => !nameOf(tokens[at]).startsWith('--'));
    const ofSite = declared.map((at) => nameOf(tokens[at])).find((name) => THEME_PROPERTIES.has(name));
    for (const [nth, one] of read.entries()) {
      if (one?.isOwn) continue;
      const [from = start, to = open] = alternatives[nth] ?? [];
      const selector = show(css.slice(tokens[from]?.[2], tokens[to]?.[2]));
      if (others.length > 0 && !one) report(from, `${selector} is no selector that can be read here`);
      else if (others.length > 0)
        report(from, `${selector} styles the page outside of the unit: begin with a class of yours`);
      else if (ofSite) report(from, `${selector} changes ${ofSite} of the site: set it on a class of yours`);
    }
  }

  /** The parts of a list between its commas. */
  function split(start: number, end: number): [number, number][] {
    const parts: [number, number][] = [];
    for (let from = start; from <= end;) {
      const comma = find(from, end, TokenType.Comma);
      parts.push([skipSpace(from, comma), comma]);
      from = comma + 1;
    }
    return parts;
  }

  /**
   * Reads one selector with its combinators.
   * @param before what it is put behind unless it says where: the selector of the rule around it, or what has a `:has()`
   * @returns undefined for one that no browser reads
   */
  function readSelector(start: number, end: number, parent: Reading, before?: Reading): Reading | undefined {
    while (end > start && isType(end - 1, TokenType.Whitespace)) end--;
    let isOwn = before?.isOwn ?? false;
    let last = before;
    for (let at = start; at < end;) {
      const next = skipCombinator(at, end);
      if (next > at) {
        if (!last || next === end) return undefined;
        at = next;
      }
      const read = readCompound(at, end, parent);
      if (!read) return undefined;
      // What is around the body is no part of a unit.
      isOwn = !read.isRoot && (isOwn || read.isOwn);
      last = read;
      at = read.end;
    }
    return last && { isOwn, isRoot: last.isRoot };
  }

  function hasAmpersand(start: number, end: number): boolean {
    return tokens.slice(start, end).some((token) => isDelim(token, '&'));
  }

  function skipCombinator(start: number, end: number): number {
    const at = skipSpace(start, end);
    return ['>', '+', '~'].some((sign) => isDelim(tokens[at], sign)) ? skipSpace(at + 1, end) : at;
  }

  /** Reads what is about one element. */
  function readCompound(start: number, end: number, parent: Reading): (Reading & { end: number }) | undefined {
    let at = start;
    let isOwn = false;
    let isRoot = false;
    let hasType = false;
    for (; at < end && skipCombinator(at, end) === at; at = after(at)) {
      const token = tokens[at];
      const name = nameOf(token).toLowerCase();
      if (isType(at, TokenType.Ident)) {
        hasType = true;
        isOwn ||= name.includes('-');
        isRoot ||= ROOTS.has(name);
      } else if (isType(at, TokenType.Hash)) isOwn ||= !OF_THE_PAGE.has(name);
      else if (isType(at, TokenType.OpenSquare))
        isOwn ||= isOwnAttribute(nameOf(tokens[skipSpace(at + 1, end)]).toLowerCase());
      else if (isDelim(token, '&')) {
        isOwn ||= parent.isOwn;
        isRoot ||= parent.isRoot;
      } else if (isDelim(token, '.')) {
        if (!isType(++at, TokenType.Ident)) return undefined;
        isOwn = true;
      } else if (isType(at, TokenType.Colon)) {
        const isElement = isType(at + 1, TokenType.Colon);
        at += isElement ? 2 : 1;
        const found = at < end ? readPseudo(at, parent) : undefined;
        if (!found) return undefined;
        if (isElement) continue;
        // Without a type, what has an element of the unit in it may be the root.
        isOwn ||= found.isOwn && (hasType || nameOf(tokens[at]) !== 'has');
        isRoot ||= found.isRoot;
      } else if (!isDelim(token, '*') && !isDelim(token, '|')) return undefined;
    }
    return { isOwn: isOwn && !isRoot, isRoot, end: at };
  }

  /** Reads a pseudo-class, behind its colon. */
  function readPseudo(at: number, parent: Reading): Reading | undefined {
    const name = nameOf(tokens[at]).toLowerCase();
    // Outside of a shadow tree there is no host, and such a rule styles nothing.
    if (name === 'host' || name === 'host-context') return { isOwn: true, isRoot: false };
    if (isType(at, TokenType.Ident)) return { isOwn: false, isRoot: /^(?:root|scope)$/.test(name) };
    if (!isType(at, TokenType.Function)) return undefined;
    const isAround = name === 'has';
    if (!isAround && !ALTERNATIVES.has(name)) return NOTHING;

    const before = isAround ? NOTHING : undefined;
    const read = split(at + 1, ends.get(at) ?? tokens.length).map(([from, to]) =>
      readSelector(from, to, parent, before),
    );
    return { isOwn: read.every((one) => one?.isOwn), isRoot: !isAround && read.some((one) => one?.isRoot) };
  }
}

/** The ends of all blocks by their beginnings, or where one is nested too deeply. A block that is not closed ends with the file. */
function findEnds(tokens: readonly CSSToken[]): { ends: Map<number, number>; tooDeep?: number } {
  const ends = new Map<number, number>();
  const open: { at: number; closes: TokenType }[] = [];
  for (const [at, [type]] of tokens.entries()) {
    const closes = CLOSES.get(type);
    if (closes !== undefined && open.push({ at, closes }) > MOST_NESTED) return { ends, tooDeep: at };
    if (type === open.at(-1)?.closes) ends.set(open.pop()?.at ?? at, at);
  }
  for (const { at } of open) ends.set(at, tokens.length);
  return { ends };
}

const CLOSES: ReadonlyMap<TokenType, TokenType> = new Map([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
]);

/** A text for a sentence: of a bounded length, and without what a terminal obeys. */
function show(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}

/** The value of a token without its escapes. */
function nameOf(token: CSSToken | undefined): string {
  const value = token?.[4];
  return value && 'value' in value && typeof value.value === 'string' ? value.value : '';
}

function isDelim(token: CSSToken | undefined, sign: string): boolean {
  return token?.[0] === TokenType.Delim && token[4].value === sign;
}
