import { defineWords } from '@app/platform';
import en from './messages/en.json';

export const t = defineWords({ en });
