import { expect, test } from 'vitest';
import { arrive, enter, TRANSITION_MS, type Stage } from './use-stage.ts';

const STAGES: Stage[] = ['enter', 'transition', 'profile'];

test('after the first screen comes the transition, then the profile', () => {
  expect(enter('enter')).toBe('transition');
  expect(arrive('transition')).toBe('profile');
});

test('a second click does not restart the transition', () => {
  expect(STAGES.map(enter)).toEqual(['transition', 'transition', 'profile']);
});

test('the end of the transition changes no other stage', () => {
  expect(STAGES.map(arrive)).toEqual(['enter', 'profile', 'profile']);
});

test('the transition lasts four seconds', () => {
  expect(TRANSITION_MS).toBe(4000);
});
