import { findViewer } from '#tenants/auth/sessions.ts'
import type { Platform } from '#tenants/platform.ts'

const [maxKnownHosts, knownHostMs] = [1_000, 60_000]

/** The coaches' hosts of the last minute: a page asks for dozens of files, which need no look-up each. */
export function createKnownHosts(platform: Platform) {
  const known = new Map<string, number>()
  const remember = (label: string): void => {
    if (known.size >= maxKnownHosts) known.clear()
    known.set(label, platform.now().getTime() + knownHostMs)
  }
  return {
    remember,
    async isKnown(label: string): Promise<boolean> {
      if ((known.get(label) ?? 0) > platform.now().getTime()) return true
      const { tenant } = await findViewer(platform, undefined, label)
      if (tenant) remember(label)
      return tenant !== null
    },
  }
}
