import { Form } from '@remix-run/react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'

export type DeviceEntry = {
  id: number
  device: string
  address: string | null
  signedIn: string
  lastSeen: string
  isCurrent: boolean
}

/** The devices that are signed in to the account, each with a button that signs it out. */
export function Devices({ devices }: { devices: DeviceEntry[] }) {
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
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="end-session" />
                <input type="hidden" name="id" value={device.id} />
                <Button type="submit" size="sm" aria-label={`Sign out ${device.device}`}>
                  Sign Out
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line-soft px-5 py-4">
        <p className="hint">A device is signed out after 7 days without use, and after 30 days in any case.</p>
        {devices.length > 1 && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="end-other-sessions" />
            <Button type="submit" size="sm">
              Sign Out All Other Devices
            </Button>
          </Form>
        )}
      </div>
    </Card>
  )
}
