import { ResetLink } from '../features/mailed-link/reset-link.tsx';

/** The page of the link in a mail that resets the devices of a plan. */
export function ResetDevicesPage() {
  return <ResetLink />;
}
