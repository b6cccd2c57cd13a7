import type { AdvertiserId, AppId, OperatingSystem } from '@app/contracts/key-system';
import type { Visitor } from '@app/platform';
import type { Refusal } from './refusals.ts';
import type { RunReading } from './use-run-state.ts';

/** The props of the current step, in every state. */
export interface CurrentStepProps {
  app: AppId;
  step: number;
  of: number;
  reading: RunReading;
  visitor: Visitor;
  /** Whether the visitor has to begin in the app. */
  isUnknown: boolean;
  /** The system that the address names, if it names one. */
  namedOs: OperatingSystem | undefined;
  /** A sentence that says when the device's last key ended; undefined while a key works or when there was none. */
  keyEnded: string | undefined;
  /** The advertiser in the address. */
  wanted: string | undefined;
  /** Whether the visitor begins a new run beside an open run of another zone. */
  isNewRun: boolean;
  /** Why the visitor was led back here. */
  refusal: Refusal | undefined;
  /** Whether the advertiser's confirmation takes longer than usual. */
  isLate: boolean;
  /** Called with the advertiser that the visitor chose, to keep it in the address. */
  onChoose: (advertiser: AdvertiserId) => void;
  reload: () => void;
}
