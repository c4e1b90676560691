"""What is computed with tensors, and how torch is set up."""

import torch
from torch import nn


def linear_algebra():
    a = torch.randn(8, 8) + 8 * torch.eye(8)
    u, s, vh = torch.linalg.svd(a)
    q, r = torch.linalg.qr(a)
    values, vectors = torch.linalg.eigh(a + a.T)
    close = [torch.allclose(u @ torch.diag(s) @ vh, a), torch.allclose(q @ r, a)]
    close += [torch.allclose(vectors @ torch.diag(values) @ vectors.T, a + a.T)]
    close += [torch.allclose(torch.linalg.inv(a) @ a, torch.eye(8)), torch.allclose(a @ torch.linalg.solve(a, a), a)]
    return all(close)


def large_matrices():
    a = torch.randn(600, 600, dtype=torch.float32)
    return (a @ a).isfinite().all().item() and (a.double() @ a.double()).isfinite().all().item()


def fourier():
    x = torch.randn(16)
    return torch.allclose(torch.fft.irfft(torch.fft.rfft(x)), x)


def einsum():
    a, b = torch.randn(2, 3, 4), torch.randn(2, 4, 5)
    return torch.allclose(torch.einsum("bij,bjk->bik", a, b), a @ b)


def sparse():
    return torch.eye(3).to_sparse().matmul(torch.ones(3, 1)).flatten().tolist() == [1, 1, 1]


def distributions():
    return torch.distributions.Normal(0.0, 1.0).sample((3,)).shape == (3,)


def generators():
    torch.manual_seed(1)
    own = torch.Generator().manual_seed(1)
    return torch.equal(torch.rand(3), torch.rand(3, generator=own))


def printing():
    print(torch.randn(3, 3), nn.Sequential(nn.Linear(2, 2)), torch.__config__.show()[:10])
    return True


def settings_of_torch():
    torch.set_printoptions(precision=3)
    torch.use_deterministic_algorithms(True)
    torch.set_float32_matmul_precision("high")
    used = torch.are_deterministic_algorithms_enabled() and torch.get_num_threads() >= 1
    torch.use_deterministic_algorithms(False)
    return used


def threads_of_torch():
    torch.set_num_threads(2)
    x = torch.randn(800, 800, requires_grad=True)
    (x @ x).exp().sum().backward()
    torch.set_num_threads(1)
    return x.grad is not None


def devices():
    device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    found = [torch.backends.mkldnn.is_available(), torch.backends.cudnn.enabled, torch.cuda.device_count()]
    return torch.ones(1).to(device).item() == 1 and len(found) == 3


def device_by_accelerator():
    return torch.accelerator.is_available() is False
