import { expect, test } from 'vitest';
import { arrive, enter, TRANSITION_MS, type Stage } from './stage.ts';

const STAGES: Stage[] = ['enter', 'transition', 'profile'];

test('the way leads from the door through the transition to the profile', () => {
  expect(enter('enter')).toBe('transition');
  expect(arrive('transition')).toBe('profile');
});

test('a second click does not begin the transition anew', () => {
  expect(STAGES.map(enter)).toEqual(['transition', 'transition', 'profile']);
});

test('nobody arrives without having entered', () => {
  expect(STAGES.map(arrive)).toEqual(['enter', 'profile', 'profile']);
});

test('the transition lasts four seconds', () => {
  expect(TRANSITION_MS).toBe(4000);
});
