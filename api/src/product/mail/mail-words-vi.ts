import { EN, type MailWords } from './mail-words.ts';

export const VI: MailWords = EN;
