import { CloseUp } from '@app/brand-ui/device/close-up';
import { V5Answer } from '@app/brand-ui/device/v5-parts';

/** A close look at the assistant of V5: a request, and the script that it becomes. */
export function V5CloseUp() {
  return (
    <CloseUp app="v5" at={[98, 47]}>
      <V5Answer />
    </CloseUp>
  );
}
