import { parentPort, workerData } from 'node:worker_threads';
import { findPageWideStyles } from '@app/contracts/page-wide-styles';

parentPort?.postMessage((workerData as string[]).map((css) => findPageWideStyles(css)));
