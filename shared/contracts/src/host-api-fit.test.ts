import { expect, test } from 'vitest';
import { findHostApiProblem } from './host-api-fit.ts';

const fit = (
  requires: Record<string, string[]>,
  provides: Record<string, string[]> = { react: ['useState', 'useId'] },
) => findHostApiProblem({ version: '1.0', provides }, { version: '1.0', requires });

test('a remote fits when the shell provides every imported name', () => {
  expect(fit({ react: ['useState', '*'] })).toBeUndefined();
  expect(fit({ react: ['useState', 'useRef'] })).toBe('imports useRef from react, which the shell does not provide');
});

test.each(['toString', 'valueOf', 'hasOwnProperty', 'nowhere'])('the shell does not share %s', (name) => {
  for (const members of [['x'], []])
    expect(fit({ [name]: members })).toBe(`imports ${name}, which the shell does not share`);
});

test('a remote built against another major version of a shared package does not fit', () => {
  const versions = (react: string) => ({ version: '1.0', versions: { react } });

  expect(findHostApiProblem(versions('19.3.1'), versions('18.3.1'))).toBe(
    'was built with react 18.3.1, the shell shares 19.3.1',
  );
  expect(findHostApiProblem(versions('19.3.1'), versions('20.0.0'))).toBe(
    'was built with react 20.0.0, the shell shares 19.3.1',
  );
  expect(findHostApiProblem(versions('19.3.1'), versions('19.0.0'))).toBeUndefined();
  expect(findHostApiProblem({ version: '1.0' }, versions('18.3.1'))).toBeUndefined();
});

test('threat 42: of many missing names only the first are reported, in linear time', () => {
  const names = (of: string) => Array.from({ length: 150_000 }, (_, nth) => `${of}${nth}`);
  const problem = fit({ react: names('missing') }, { react: names('given') });

  expect(problem).toMatch(/^imports missing0, missing1, .*missing19 and others from react, which/);
  expect(problem?.length).toBeLessThan(400);
});
