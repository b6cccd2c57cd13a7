import { pass } from '@app/testing/visit';
import { render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerAs, openPage } from '../../test/qa-page.ts';
import { ReleasesBoard } from './releases-board.tsx';

beforeEach(openPage);

test('all releases show who published what, what failed, why a canary was halted, and what is locked', async () => {
  answerAs({ access: true, session: null });
  render(<ReleasesBoard />);
  await pass(0);

  const unit = within(screen.getByRole('region', { name: 'key-system' }));
  expect(unit.getByText('The canary 1.4.0 was halted')).toBeDefined();
  expect(unit.getByText('Locked by oncall')).toBeDefined();
  const [, row] = unit.getAllByRole('row');
  expect(
    within(row ?? document.body)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['1.5.0Stable', 'Nov 22, 10:00 by ci', 'a81f9c3e77', '2.2', '120 kB', '−4 kB', '3 of 120 networks']);
  expect(screen.getByText(/^3\.1\.0 for 10 % since Nov 22/)).toBeDefined();
});
