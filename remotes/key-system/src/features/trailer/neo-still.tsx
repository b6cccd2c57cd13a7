import { Drawing } from '@app/brand-ui/device/drawing';
import still from '@app/brand-ui/device/neo-still.svg?raw';

export function NeoStill() {
  return <Drawing svg={still} />;
}
