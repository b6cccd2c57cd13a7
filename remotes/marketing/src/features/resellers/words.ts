import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the resellers. They are a catalogue of their own, so that only their page loads them. */
export const t = defineWords({ en });
