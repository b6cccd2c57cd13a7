import { ResetLink } from '../features/mailed-link/reset-link.tsx';

export function ResetDevicesPage() {
  return <ResetLink />;
}
