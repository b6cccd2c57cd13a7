import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts about the plans alone. */
export const t = defineWords({ en });
