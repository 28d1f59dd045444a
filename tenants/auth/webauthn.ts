import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Platform } from '../platform.ts'

// Verifies the passkeys of coaches and those of clients in the portal.

export const challengeMinutes = 5

/** Loaded when it is needed: most processes never use it, and it is large. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** The origin that the browser must be on, and the domain that its passkeys belong to. */
export type PasskeySite = { origin: string; domain: string }
/** A challenge that a browser has signed, with its end. The caller stores that it was used. */
export type UsedChallenge = { text: string; expiresAt: Date }
/** The columns that verify a passkey. */
export type StoredPasskey = { credentialId: Buffer; publicKey: Buffer; signCount: number; transports: string[] }

/** The options of the browser's dialog that creates a passkey, valid for 5 minutes. `purpose`: of the challenge. */
export async function createPasskeyOptions(
  platform: Platform,
  {
    purpose,
    domain,
    site,
    user,
    existing,
  }: {
    purpose: string
    domain: string
    /** The name that the dialog shows. */
    site: string
    user: { id: string; name: string; displayName: string }
    existing: Pick<StoredPasskey, 'credentialId' | 'transports'>[]
  },
) {
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpName: site,
    rpID: domain,
    userID: new TextEncoder().encode(user.id),
    userName: user.name,
    userDisplayName: user.displayName,
    challenge: createChallenge(platform, purpose),
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** The passkey that the browser created for the options of `createPasskeyOptions`; null if it can't be verified. */
export async function verifyNewPasskey(
  platform: Platform,
  response: RegistrationResponseJSON,
  { purpose, site }: { purpose: string; site: PasskeySite },
): Promise<{ passkey: StoredPasskey; challenge: UsedChallenge } | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const used = readUsedChallenge(platform, purpose)
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: used.check,
    expectedOrigin: site.origin,
    expectedRPID: site.domain,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) return null
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const passkey = {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports,
  }
  return { passkey, challenge: used.get() }
}

/** The options of the browser's dialog that signs in with a passkey of `domain`, valid for 5 minutes. */
export async function createSignInOptions(
  platform: Platform,
  { purpose, domain }: { purpose: string; domain: string },
) {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: domain,
    challenge: createChallenge(platform, purpose),
    userVerification: 'required',
  })
}

/** The new counter of a passkey that signed a challenge of `createSignInOptions`; null if that can't be verified. */
export async function verifyPasskey(
  platform: Platform,
  response: AuthenticationResponseJSON,
  { purpose, site, passkey }: { purpose: string; site: PasskeySite; passkey: Omit<StoredPasskey, 'credentialId'> },
): Promise<{ signCount: number; challenge: UsedChallenge } | null> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const used = readUsedChallenge(platform, purpose)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: used.check,
    expectedOrigin: site.origin,
    expectedRPID: site.domain,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.signCount,
      transports: passkey.transports,
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false as const, authenticationInfo: null }))
  return verified ? { signCount: authenticationInfo.newCounter, challenge: used.get() } : null
}

/** The origin that the browser says it is on; null if it can't be read. */
export function getOrigin({ response }: AuthenticationResponseJSON): string | null {
  try {
    return JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()).origin
  } catch {
    return null
  }
}

/** A challenge carries its own signature, purpose and expiry, so that nothing is stored for visitors. */
function createChallenge(platform: Platform, purpose: string): string {
  const expiresAt = platform.now().getTime() + challengeMinutes * 60_000
  return platform.signingKeys.sign(`passkey ${purpose}`, `${randomBytes(16).toString('base64url')} ${expiresAt}`)
}

/** Checks the challenge that the browser signed, and remembers it. */
function readUsedChallenge(platform: Platform, purpose: string) {
  let used: UsedChallenge = { text: '', expiresAt: new Date(0) }
  return {
    check(encoded: string): boolean {
      const text = Buffer.from(encoded, 'base64url').toString()
      const value = platform.signingKeys.verify(`passkey ${purpose}`, text)
      used = { text, expiresAt: new Date(Number(value?.split(' ')[1] ?? 0)) }
      return value !== null && used.expiresAt > platform.now()
    },
    get: () => used,
  }
}
