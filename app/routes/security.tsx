import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useActionData, useLoaderData } from '@remix-run/react'
import { renderSVG } from 'uqr'
import { formatDateTime } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import { Activity } from '#app/security/activity.tsx'
import { Devices, SignOutDialog, SignOutOthersDialog } from '#app/security/devices.tsx'
import { Passkeys, RemovePasskeyDialog } from '#app/security/passkeys.tsx'
import { RecoveryCodes } from '#app/security/recovery-codes.tsx'
import { TwoStep } from '#app/security/two-step.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions, success } from '#modules/core/form-actions.server.ts'
import { NewPasskey, PasswordCheck, PasswordCheckById, SetupCode, TurnOff } from '#tenants/auth/forms.ts'
import { addPasskey, getPasskeyDomain, listPasskeys, removePasskey, startPasskey } from '#tenants/auth/passkeys.ts'
import {
  confirmSetup,
  getSecondFactor,
  getSetup,
  renewRecoveryCodes,
  startSetup,
  turnOff,
} from '#tenants/auth/second-factor.ts'
import { listSecurityEvents } from '#tenants/auth/security-events.ts'
import { endOtherSessions, endSession, listSessions } from '#tenants/auth/sessions.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Security')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { sessionHash } = context.requestContext.viewer
  const [sessions, events, secondFactor, setup, passkeys] = await Promise.all([
    listSessions(ctx, sessionHash),
    listSecurityEvents(ctx),
    getSecondFactor(ctx),
    getSetup(ctx),
    listPasskeys(ctx),
  ])
  const formatInstant = (instant: string) => formatDateTime(instant, ctx.account.timezone)
  const { searchParams } = new URL(request.url)
  const removing = parseId(searchParams.get('remove-passkey'))
  const signingOut = searchParams.get('sign-out')
  const shownPasskeys = passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    added: formatInstant(createdAt),
    lastUsed: lastUsedAt && formatInstant(lastUsedAt),
  }))
  const devices = sessions.map(({ signedInAt, lastSeenAt, ...session }) => ({
    ...session,
    signedIn: formatInstant(signedInAt),
    lastSeen: formatInstant(lastSeenAt),
  }))
  return {
    passkeys: shownPasskeys,
    passkeyDomain: getPasskeyDomain(context.config),
    removing: shownPasskeys.find(({ id }) => id === removing) ?? null,
    devices,
    signingOut: devices.find(({ id }) => id === parseId(signingOut)) ?? null,
    signsOutOthers: signingOut === 'others',
    events: events.map((event) => ({ ...event, at: formatInstant(event.at) })),
    secondFactor,
    setup: setup && { secret: setup.secret, image: toDataUrl(renderSVG(setup.uri, { border: 2 })) },
  }
}

const toDataUrl = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

const messages = {
  'start-setup': { done: null, failed: 'Failed to start the setup. Please try again.' },
  'confirm-setup': { done: null, failed: 'Failed to turn on two-step sign-in. Please try again.' },
  'renew-codes': { done: null, failed: 'Failed to make new recovery codes. Please try again.' },
  'turn-off': { done: 'Two-step sign-in is off.', failed: 'Failed to turn off two-step sign-in. Please try again.' },
  'start-passkey': { done: null, failed: 'Failed to start adding a passkey. Please try again.' },
  'add-passkey': { done: 'Passkey added', failed: 'Failed to add the passkey. Please try again.' },
  'remove-passkey': { done: 'Passkey removed.', failed: 'Failed to remove the passkey. Please try again.' },
  'end-session': { done: 'Device signed out', failed: 'Failed to sign the device out. Please try again.' },
  'end-other-sessions': {
    done: 'All other devices signed out',
    failed: 'Failed to sign the devices out. Please try again.',
  },
}

export const action = formActions(
  messages,
  {
    'start-setup': { schema: PasswordCheck, run: (ctx, { currentPassword }) => startSetup(ctx, currentPassword) },
    'confirm-setup': {
      schema: SetupCode,
      run: async (ctx, { code }, { context }) =>
        success({ data: { recoveryCodes: await confirmSetup(ctx, code, context.requestContext) } }),
    },
    'renew-codes': {
      schema: PasswordCheck,
      run: async (ctx, { currentPassword }, { context }) =>
        success({ data: { recoveryCodes: await renewRecoveryCodes(ctx, currentPassword, context.requestContext) } }),
    },
    'turn-off': {
      schema: TurnOff,
      run: (ctx, { passwordOrCode }, { context }) => turnOff(ctx, passwordOrCode, context.requestContext),
    },
    'start-passkey': {
      schema: PasswordCheck,
      run: async (ctx, { currentPassword }) =>
        success({ data: { passkeyOptions: await startPasskey(ctx, currentPassword) } }),
    },
    'add-passkey': {
      schema: NewPasskey,
      isButton: true,
      run: (ctx, input, { context }) => addPasskey(ctx, input, context.requestContext),
    },
    'remove-passkey': {
      schema: PasswordCheckById,
      run: (ctx, input, { context }) => removePasskey(ctx, input, context.requestContext),
    },
    'end-session': {
      schema: PasswordCheckById,
      run: (ctx, input, { context }) => endSession(ctx, input, context.requestContext),
    },
    'end-other-sessions': {
      schema: PasswordCheck,
      run: (ctx, input, { context: { requestContext: device } }) =>
        endOtherSessions(ctx, input, { currentHash: device.viewer.sessionHash, device }),
    },
  },
  { home: '/security', dialog: ['remove-passkey', 'sign-out'] },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function SecurityPage() {
  const { devices, events, secondFactor, setup, passkeys, passkeyDomain, removing, signingOut, signsOutOthers } =
    useLoaderData<typeof loader>()
  const { recoveryCodes, passkeyOptions } =
    useActionData<{ recoveryCodes?: string[]; passkeyOptions?: PublicKeyCredentialCreationOptionsJSON }>() ?? {}
  return (
    <Page
      title="Security"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Settings', to: '/settings' }, { label: 'Security' }]}
      description="Protect your account, and see where it is used."
    >
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-6">
          {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
          <TwoStep secondFactor={secondFactor} setup={setup} />
          <Passkeys passkeys={passkeys} domain={passkeyDomain} options={passkeyOptions} />
          <Devices devices={devices} />
        </div>
        <Activity events={events} />
      </div>
      {removing && <RemovePasskeyDialog passkey={removing} />}
      {signingOut && <SignOutDialog device={signingOut} />}
      {signsOutOthers && <SignOutOthersDialog />}
    </Page>
  )
}
