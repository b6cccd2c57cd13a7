import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of toasts. They are a catalogue of their own, because no page needs them to be shown. */
export const t = defineWords({ en });
