/// <reference types="@remix-run/node" />
/// <reference types="vite/client" />
import type { LoadContext } from '#app/server/pages/load-context.ts'

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true
  }
}
declare module '@remix-run/server-runtime' {
  interface Future {
    v3_singleFetch: true
  }
  interface AppLoadContext extends LoadContext {}
}
