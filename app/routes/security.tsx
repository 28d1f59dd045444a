import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useActionData, useLoaderData } from '@remix-run/react'
import { renderSVG } from 'uqr'
import { formatDateTime } from '#app/lib/time.ts'
import { Activity } from '#app/security/activity.tsx'
import { Devices, SignOutDialog, SignOutOthersDialog } from '#app/security/devices.tsx'
import { AddPasskeyDialog, Passkeys, RemovePasskeyDialog } from '#app/security/passkeys.tsx'
import { RecoveryCodes } from '#app/security/recovery-codes.tsx'
import { pageSize, securityUrl } from '#app/security/security-url.ts'
import { RenewCodesDialog, SetUpDialog, TurnOffDialog, TwoStep } from '#app/security/two-step.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions, NoInput, success } from '#modules/core/form-actions.server.ts'
import { NewPasskey, PasswordCheck, PasswordCheckById, SetupCode, TurnOff } from '#tenants/auth/forms.ts'
import { addPasskey, getPasskeyDomain, listPasskeys, removePasskey, startPasskey } from '#tenants/auth/passkeys.ts'
import {
  cancelSetup,
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
  const { dialog, 'remove-passkey': removing, 'sign-out': signingOut, ...state } = securityUrl.parse(request.url)
  const [sessions, events, secondFactor, setup, passkeys] = await Promise.all([
    listSessions(ctx, sessionHash, { rows: pageSize, skip: (state.devices - 1) * pageSize }),
    listSecurityEvents(ctx, { rows: pageSize, skip: (state.activity - 1) * pageSize }),
    getSecondFactor(ctx),
    getSetup(ctx),
    listPasskeys(ctx),
  ])
  if (!sessions.length && state.devices > 1) throw redirect(securityUrl.href(state, { devices: 1 }))
  if (!events.length && state.activity > 1) throw redirect(securityUrl.href(state, { activity: 1 }))
  const formatInstant = (instant: string) => formatDateTime(instant, ctx.account)
  const shownPasskeys = passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    added: formatInstant(createdAt),
    lastUsed: lastUsedAt && formatInstant(lastUsedAt),
  }))
  const devices = sessions.map(({ signedInAt, lastSeenAt, total: _, ...session }) => ({
    ...session,
    signedIn: formatInstant(signedInAt),
    lastSeen: formatInstant(lastSeenAt),
  }))
  return {
    state,
    dialog,
    passkeys: shownPasskeys,
    passkeyDomain: getPasskeyDomain(context.config, context.tenant),
    removing: shownPasskeys.find(({ id }) => id === removing) ?? null,
    devices,
    deviceCount: sessions[0]?.total ?? 0,
    signingOut: devices.find(({ id }) => String(id) === signingOut) ?? null,
    signsOutOthers: signingOut === 'others',
    events: events.map(({ total: _, ...event }) => ({ ...event, at: formatInstant(event.at) })),
    eventCount: events[0]?.total ?? 0,
    secondFactor,
    setup: setup && { secret: setup.secret, image: toDataUrl(renderSVG(setup.uri, { border: 2 })) },
  }
}

const toDataUrl = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

const messages = {
  'start-setup': { done: null, failed: 'Failed to start the setup. Please try again.' },
  'cancel-setup': { done: 'Setup cancelled', failed: 'Failed to cancel the setup. Please try again.' },
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
    'cancel-setup': { schema: NoInput, run: cancelSetup },
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
  { home: '/security', dialog: ['dialog', 'remove-passkey', 'sign-out'] },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function SecurityPage() {
  const { state, devices, deviceCount, events, eventCount, secondFactor, setup, passkeys, passkeyDomain } =
    useLoaderData<typeof loader>()
  const { recoveryCodes } = useActionData<Reply>() ?? {}
  return (
    <Page
      title="Security"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Settings', to: '/settings' }, { label: 'Security' }]}
      description="Protect your account, and see where it is used."
    >
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-6">
          {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
          <TwoStep
            secondFactor={secondFactor}
            setup={setup}
            dialogHref={(dialog) => securityUrl.href(state, { dialog })}
          />
          <Passkeys
            passkeys={passkeys}
            domain={passkeyDomain}
            addHref={securityUrl.href(state, { dialog: 'add-passkey' })}
            removeHref={(id) => securityUrl.href(state, { 'remove-passkey': id })}
          />
          <Devices
            devices={devices}
            count={deviceCount}
            signOutHref={(session) => securityUrl.href(state, { 'sign-out': session })}
            pages={
              <Pages
                page={state.devices}
                rows={devices.length}
                count={deviceCount}
                to={(page) => securityUrl.href(state, { devices: page })}
              />
            }
          />
        </div>
        <Activity
          events={events}
          pages={
            <Pages
              page={state.activity}
              rows={events.length}
              count={eventCount}
              to={(page) => securityUrl.href(state, { activity: page })}
            />
          }
        />
      </div>
      <OpenDialog />
    </Page>
  )
}

/** The action's data: it is shown only once. */
type Reply = { recoveryCodes?: string[]; passkeyOptions?: PublicKeyCredentialCreationOptionsJSON }

function OpenDialog() {
  const { state, dialog, secondFactor, setup, passkeys, passkeyDomain, removing, signingOut, signsOutOthers } =
    useLoaderData<typeof loader>()
  const { recoveryCodes, passkeyOptions } = useActionData<Reply>() ?? {}
  const closeTo = securityUrl.href(state)
  if (removing) return <RemovePasskeyDialog passkey={removing} closeTo={closeTo} />
  if (signingOut) return <SignOutDialog device={signingOut} closeTo={closeTo} />
  if (signsOutOthers) return <SignOutOthersDialog closeTo={closeTo} />
  if (dialog === 'add-passkey' && passkeyDomain)
    return <AddPasskeyDialog options={passkeyOptions} suggestion={`Passkey ${passkeys.length + 1}`} closeTo={closeTo} />
  if (dialog === 'set-up' && !secondFactor.isOn && !setup) return <SetUpDialog closeTo={closeTo} />
  if (dialog === 'renew-codes' && secondFactor.isOn && !recoveryCodes) return <RenewCodesDialog closeTo={closeTo} />
  if (dialog === 'turn-off' && secondFactor.isOn) return <TurnOffDialog closeTo={closeTo} />
  return null
}

/** Links to further pages of a list in a card, if there are any. */
function Pages(list: { page: number; rows: number; count: number; to: (page: number) => string }) {
  if (list.count <= pageSize) return null
  return (
    <div className="border-t border-line-soft px-5 pb-4">
      <PageSummary {...list} size={pageSize} preventScrollReset />
    </div>
  )
}
