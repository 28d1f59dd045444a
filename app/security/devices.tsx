import type { ReactNode } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { PasswordDialog } from './password-dialog.tsx'

export type DeviceEntry = {
  id: number
  device: string
  address: string | null
  signedIn: string
  lastSeen: string
  isCurrent: boolean
}

/** The devices that are signed in to the account, each with a button that signs it out. */
export function Devices({
  devices,
  count,
  pages,
  signOutHref,
}: {
  devices: DeviceEntry[]
  count: number
  /** Links to further pages. */
  pages: ReactNode
  signOutHref: (session: string) => string
}) {
  return (
    <Card title="Signed-in devices">
      <ul className="rows border-t border-line-soft">
        {devices.map((device) => (
          <li key={device.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                {device.device}
                {device.isCurrent && <Badge tone="success">This device</Badge>}
              </p>
              <p className="text-sm text-ink-3 wrap-anywhere">
                {device.address ? `Signed in from ${device.address}, ` : 'Signed in '}
                {device.signedIn}
              </p>
              {!device.isCurrent && <p className="text-sm text-ink-3">Last used {device.lastSeen}</p>}
            </div>
            {!device.isCurrent && (
              <ButtonLink
                to={signOutHref(String(device.id))}
                size="sm"
                aria-label={`Sign out ${device.device}`}
                preventScrollReset
              >
                Sign Out
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {pages}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line-soft px-5 py-4">
        <p className="hint">A device is signed out after 7 days without use, and after 30 days in any case.</p>
        {count > 1 && (
          <ButtonLink to={signOutHref('others')} size="sm" preventScrollReset>
            Sign Out All Other Devices
          </ButtonLink>
        )}
      </div>
    </Card>
  )
}

export function SignOutDialog({ device: { id, device, address }, closeTo }: { device: DeviceEntry; closeTo: string }) {
  return (
    <PasswordDialog
      title={`Sign out ${device}?`}
      intent="end-session"
      id={id}
      submit="Sign Out"
      busyLabel="Signing out..."
      danger
      closeTo={closeTo}
    >
      {address ? `The device at ${address} has` : 'It has'} to sign in again.
    </PasswordDialog>
  )
}

export function SignOutOthersDialog({ closeTo }: { closeTo: string }) {
  return (
    <PasswordDialog
      title="Sign out all other devices?"
      intent="end-other-sessions"
      submit="Sign Out All"
      busyLabel="Signing out..."
      danger
      closeTo={closeTo}
    >
      You stay signed in on this device only.
    </PasswordDialog>
  )
}
