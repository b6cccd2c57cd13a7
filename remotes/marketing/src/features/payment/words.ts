import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts around a payment. They are a catalogue of their own, because they are all that pages with plans need. */
export const t = defineWords({ en });
