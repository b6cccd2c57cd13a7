import type { AdvertiserId, AppId, OperatingSystem } from '@app/contracts/key-system';
import type { Visitor } from '@app/platform';
import type { Refusal } from './refusals.ts';
import type { RunReading } from './use-run-state.ts';

/** All that the current step is told, whichever state it is in. */
export interface CurrentStepProps {
  app: AppId;
  step: number;
  of: number;
  reading: RunReading;
  visitor: Visitor;
  /** Who has to begin in the app. */
  isUnknown: boolean;
  /** The system that the address names, if it names one. */
  namedOs: OperatingSystem | undefined;
  /** When the device's last key ended, as one reads it; undefined while one works or there was none. */
  keyEnded: string | undefined;
  /** The advertiser that the address asks for. */
  wanted: string | undefined;
  /** Whether a run is begun beside the one that is open for another zone. */
  isNewRun: boolean;
  /** Why the visitor was led back here. */
  refusal: Refusal | undefined;
  /** The advertiser's confirmation is on its way, and has been for long. */
  isLate: boolean;
  /** Told which advertiser was chosen, so that the address can remember it. */
  onChoose: (advertiser: AdvertiserId) => void;
  reload: () => void;
}
