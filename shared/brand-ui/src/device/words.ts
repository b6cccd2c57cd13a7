import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** What is said on the drawn screens. It is a catalogue of its own, which comes with the drawings. */
export const t = defineWords({ en });
