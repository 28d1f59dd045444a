/// <reference types="@remix-run/node" />
/// <reference types="vite/client" />

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true
  }
}
declare module '@remix-run/server-runtime' {
  interface Future {
    v3_singleFetch: true
  }
  interface AppLoadContext extends import('#app/server/load-context.ts').LoadContext {}
}
declare module '@remix-run/node' {
  interface AppLoadContext extends import('#app/server/load-context.ts').LoadContext {}
}
