/** The browser and the address that sent a request. */
export type Device = { userAgent: string | null; address: string }

/** The columns that store a device, within their limits. */
export function toDeviceColumns({ userAgent, address }: Device): { userAgent: string | null; ipAddress: string } {
  return { userAgent: userAgent?.slice(0, 400) ?? null, ipAddress: address.slice(0, 45) }
}

/** The browser and system of a User-Agent header, such as "Firefox on Windows". */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const browser = findName(browsers, userAgent)
  const system = findName(systems, userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}

/** Whether two sign-ins came from the same browser and network. */
export function isSameDevice(a: Device, b: Device): boolean {
  return describeDevice(a.userAgent) === describeDevice(b.userAgent) && toNetwork(a.address) === toNetwork(b.address)
}

const findName = (names: [RegExp, string][], userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

// In this order: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari.
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A household shares the first half of its IPv6 addresses. */
const toNetwork = (address: string): string =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
