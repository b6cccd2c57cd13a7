import { DeviceFrame } from '@app/brand-ui/device-frame';
import { V5Screen } from '@app/brand-ui/device/v5-screen';

export function V5Device() {
  return (
    <DeviceFrame variant="v5">
      <V5Screen />
    </DeviceFrame>
  );
}
