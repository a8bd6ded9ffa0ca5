/** Whether `granted` (`resource.action`, `resource.*`, `*`) covers the wanted permission. */
export function isGranted(granted: readonly string[], wanted: string): boolean {
  const [resource] = wanted.split(".");
  return granted.some((grant) => grant === "*" || grant === wanted || grant === `${resource}.*`);
}

/** What both lists allow: for each pair the narrower one, where one covers the other. */
export function intersectPermissions(some: readonly string[], others: readonly string[]): string[] {
  const both = new Set<string>();
  for (const permission of some) {
    if (isGranted(others, permission)) both.add(permission);
    else for (const other of others) if (isGranted([permission], other)) both.add(other);
  }
  return [...both];
}
