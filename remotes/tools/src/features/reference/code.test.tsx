import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Code } from './code.tsx';

test('an address breaks only after its separators, and its text stays whole', () => {
  const text = "curl 'https://site.example/api/key?hwid=a&zone=b'";
  const { container } = render(<Code text={text} language="curl" />);

  expect(container.textContent).toBe(text);
  const breaks = [...container.querySelectorAll('wbr')].map((one) => one.previousSibling?.textContent);
  expect(breaks).toEqual(["'https:/", '/', 'site.example/', 'api/', 'key?', 'hwid=a&']);
});
