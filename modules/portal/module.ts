import { defineModule } from '../core/manifest.ts'
import { contributions } from './contributions.ts'
import { migrations } from './migrations.ts'
import { signInPath } from './paths.ts'
import { permissions } from './permissions.ts'
import { PortalLink, PortalPasskey, PortalSession } from './schema.ts'
import { cleanUp } from './services/clean-up.ts'
import { passkeyEmailQueue, sendPasskeyEmail, type PasskeyEmailJob } from './services/passkey-email.ts'
import { createDemoLink } from './services/demo-link.ts'
import { sendSignInLinks, signInQueue, type SignInJob } from './services/sign-in-email.ts'
import { endDomainSessions, findSessionClient } from './services/sign-in.ts'

export default defineModule({
  id: 'portal',
  title: 'Client portal',
  dependsOn: ['crm'],
  entities: [PortalLink, PortalSession, PortalPasskey],
  migrations,
  permissions,
  routes: [
    { path: 'portal', file: 'routes/home.tsx', layout: 'portal' },
    { path: 'portal/sign-in', file: 'routes/sign-in.tsx', layout: 'portal' },
    { path: 'portal/sign-in/:token', file: 'routes/sign-in-link.tsx', layout: 'portal' },
    { path: 'portal/account', file: 'routes/account.tsx', layout: 'portal' },
    { path: 'portal/passkey', file: 'routes/passkey.ts', layout: 'resource' },
    { path: 'portal/sign-out', file: 'routes/sign-out.ts', layout: 'resource' },
    { path: 'portal/app.webmanifest', file: 'routes/web-manifest.ts', layout: 'resource' },
    { path: 'clients/:id/portal', file: 'routes/access.tsx' },
  ],
  contributions,
  endDomainSessions,
  clientSignIn: { findClient: findSessionClient, getSignInPath: signInPath, createDemoLink },
  // They are of the address that the client had.
  clientRecords: [
    { table: 'portal_link', onMerge: 'delete' },
    { table: 'portal_session', onMerge: 'delete' },
    // They sign in to the kept client if that one has their address.
    { table: 'portal_passkey' },
  ],
  jobs: [
    {
      name: signInQueue,
      kind: 'email',
      // The mail server may be away for eight hours. A link is valid from when it is sent.
      retryLimit: 40,
      run: (platform, data) => sendSignInLinks(platform, data as SignInJob),
    },
    {
      name: passkeyEmailQueue,
      kind: 'email',
      retryLimit: 40,
      run: (platform, data) => sendPasskeyEmail(platform, data as PasskeyEmailJob),
    },
    { name: 'portal.clean-up', keepsData: true, every: '25 4 * * *', run: cleanUp },
  ],
  practiceExport: {
    tables: {
      portal_link: { leftOut: 'it signs a client in' },
      portal_session: { leftOut: 'it signs a client in' },
      portal_passkey: { leftOut: 'it signs a client in' },
    },
  },
})
