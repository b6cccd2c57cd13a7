/** Shared modules load at run time, so what imports them comes in a second file. */
import('./with-plugin.ts').catch(reportError);
