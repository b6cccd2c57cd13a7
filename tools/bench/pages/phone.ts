import type { CDPSession } from 'playwright-core';

/** The network of a phone on a slow connection: 150 ms latency, 1.6 Mbit/s down, 0.75 Mbit/s up. */
const LINE = { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: (0.75 * 1e6) / 8 };
/** The phone's processor is this many times slower than the machine's. */
const CPU_SLOWDOWN = 4;
const PHONE = { width: 360, height: 740 };

/** Gives a page a slow connection, a slow processor and the window of a phone. */
export async function slowDown(send: CDPSession['send']): Promise<void> {
  await send('Network.enable');
  await send('Network.emulateNetworkConditions', LINE);
  await send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await send('Emulation.setDeviceMetricsOverride', { ...PHONE, deviceScaleFactor: 1, mobile: false });
}
