import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>
type Site = { challenge: string; origin: string; rpId: string }

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/** One passkey (ES256) and the browser that uses it, at any address. */
export function createSoftwareAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')

  const authenticatorData = (rpId: string, flags: number, { count = 0, rest = Buffer.alloc(0) } = {}): Buffer => {
    // Passkeys that a phone synchronizes leave the counter at 0.
    const head = Buffer.alloc(5)
    head[0] = flags
    head.writeUInt32BE(count, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, rest])
  }
  const clientData = (type: string, { challenge, origin }: Site): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  return {
    create(site: Site): RegistrationResponseJSON {
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, key])
      const data = authenticatorData(site.rpId, userPresent | userVerified | hasCredential, { rest: credential })
      // CBOR: { fmt: 'none', attStmt: {}, authData }
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', site).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    get(site: Site, { isVerified = true, count = 0 } = {}): AuthenticationResponseJSON {
      const data = authenticatorData(site.rpId, userPresent | (isVerified ? userVerified : 0), { count })
      const client = clientData('webauthn.get', site)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}
