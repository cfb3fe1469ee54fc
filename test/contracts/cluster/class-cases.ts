// EC2NodeClasses that are kept until no claim uses them.
import { expect, it } from "vitest";
import { nodeClassManifest } from "./manifests.ts";
import { type ClusterSubject, otherUid } from "./subject.ts";

export function classTests(get: () => ClusterSubject): void {
  const made = async (name: string) => {
    const subject = get();
    const { uid } = await subject.create(nodeClassManifest(name));
    const find = async () => (await subject.cluster.read({ pods: false })).nodeClasses.find((c) => c.name === name);
    const remove = () => subject.remove({ kind: "EC2NodeClass", name });
    return { cluster: subject.cluster, uid, find, remove };
  };

  it("that are held outlive their deletion until they are released", async () => {
    const { cluster, uid, find, remove } = await made("held-class");
    expect(await cluster.holdNodeClass("held-class", { uid })).toBe("done");
    const before = await find();
    expect(await cluster.holdNodeClass("held-class", { uid })).toBe("done");
    expect((await find())?.resourceVersion).toBe(before?.resourceVersion);
    await remove();
    expect(await find()).toMatchObject({ uid, deletionAtMs: expect.any(Number) });
    expect(await cluster.holdNodeClass("held-class", { uid })).toBe("done");
    expect(await cluster.releaseNodeClass("held-class", { uid: otherUid })).toBe("gone");
    expect(await find()).toMatchObject({ uid });
    expect(await cluster.releaseNodeClass("held-class", { uid })).toBe("done");
    expect(await find()).toBeUndefined();
    expect(await cluster.releaseNodeClass("held-class", { uid })).toBe("gone");
    expect(await cluster.holdNodeClass("held-class", { uid })).toBe("gone");
  });

  it("that are not held go at once, and releasing one that stays lets it go later", async () => {
    const free = await made("free-class");
    await free.remove();
    expect(await free.find()).toBeUndefined();
    const { cluster, uid, find, remove } = await made("freed-class");
    expect(await cluster.holdNodeClass("freed-class", { uid: otherUid })).toBe("gone");
    await cluster.holdNodeClass("freed-class", { uid });
    expect(await cluster.releaseNodeClass("freed-class", { uid })).toBe("done");
    expect(await find()).toMatchObject({ uid });
    await remove();
    expect(await find()).toBeUndefined();
  });
}
