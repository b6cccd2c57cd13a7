import { DeviceFrame } from '@app/design-system/device-frame';
import { V5Screen } from '@app/design-system/device/v5-screen';

export function V5Device() {
  return (
    <DeviceFrame variant="v5">
      <V5Screen />
    </DeviceFrame>
  );
}
